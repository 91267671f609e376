import { defineConfig } from 'vitest/config';

const common = {
  exclude: ['dist/**', 'node_modules/**'],
  pool: 'forks' as const,
  testTimeout: 240_000,
  hookTimeout: 420_000,
  teardownTimeout: 30_000,
};

/** Tests that need the servers of the global set-up, or start their own; all others run without any. */
const onServers = ['test/integration/**/*.test.ts', 'test/**/*.server.test.ts'];

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...common.exclude, ...onServers],
        },
      },
      {
        test: {
          ...common,
          name: 'integration',
          include: onServers,
          globalSetup: ['test/support/global-setup.ts'],
        },
      },
      {
        test: {
          ...common,
          name: 'crash',
          include: ['test/crash/*.crash.ts'],
          globalSetup: ['test/support/global-setup.ts'],
        },
      },
    ],
  },
});
