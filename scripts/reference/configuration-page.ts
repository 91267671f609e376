import type { Setting, Settings } from '../../adapters/settings/setting.ts';
import { starterSettings } from '../../starter/config.ts';
import { workerSettings } from '../../worker/config.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { code, page, table } from './markdown.ts';

const temporal = [
  ['TEMPORAL_ADDRESS', 'localhost:7233', 'host:port of the Temporal frontend.'],
  ['TEMPORAL_NAMESPACE', 'knative-fleet', 'Namespace of Temporal.'],
  ['TEMPORAL_API_KEY', '', 'API key, for Temporal Cloud; switches TLS on.'],
  ['TEMPORAL_TLS', '', '`true` switches TLS on, `false` off.'],
  [
    'TEMPORAL_TLS_CLIENT_CERT_PATH, TEMPORAL_TLS_CLIENT_KEY_PATH',
    '',
    'Client certificate and key in PEM, for mTLS.',
  ],
  ['TEMPORAL_TLS_SERVER_CA_CERT_PATH', '', 'CA of the frontend in PEM.'],
  ['TEMPORAL_TLS_SERVER_NAME', '', 'Name that the certificate of the frontend must carry.'],
  [
    'TEMPORAL_PROFILE, TEMPORAL_CONFIG_FILE',
    '`default`, the file of the `temporal` command',
    'Profile and file to read these from; a variable wins over the file.',
  ],
] as const;

/** Settings of worker and starter. */
export function configurationPage(): GeneratedFile {
  const parts = [
    'Everything is read once at start; all problems are listed together and end the process. A flag wins over its environment variable, and an empty variable counts as unset.',
    section('Worker', workerSettings),
    section('Starter', starterSettings),
    `## Connection to Temporal\n\nWorker and starter read the settings of the \`temporal\` command.\n\n${table(
      ['variable', 'default', 'meaning'],
      temporal.map(([variables, value, meaning]) => [
        variables.split(', ').map(code).join(', '),
        /^[\w-]+(:\d+)?$/.test(value) ? code(value) : value,
        meaning,
      ]),
    )}`,
  ];
  return {
    path: 'docs/reference/configuration.md',
    text: page('Configuration', 'worker/config.ts and starter/config.ts', parts),
  };
}

function section(title: string, settings: Settings): string {
  const rows = Object.values(settings).map((setting) => [
    names(setting),
    setting.default === undefined || setting.default === '' ? '' : code(setting.default),
    setting.meaning,
  ]);
  return `## ${title}\n\n${table(['variable, flag', 'default', 'meaning'], rows)}`;
}

function names({ variable, flag }: Setting): string {
  return flag === undefined ? code(variable) : `${code(variable)}, ${code(flag)}`;
}
