import { defineConfig } from 'vitest/config';

const common = {
  exclude: ['dist/**', 'node_modules/**'],
  pool: 'forks' as const,
  testTimeout: 120_000,
  hookTimeout: 180_000,
  teardownTimeout: 30_000,
};

const onServers = ['test/integration/**/*.test.ts'];

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
    ],
  },
});
