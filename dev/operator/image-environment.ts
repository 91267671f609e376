import { existsSync } from 'node:fs';

/** Where packages of the usual distributions put the library that the Dockerfile copies. */
const libraries = [
  '/usr/lib/x86_64-linux-gnu/libjemalloc.so.2',
  '/usr/lib/aarch64-linux-gnu/libjemalloc.so.2',
  '/usr/lib64/libjemalloc.so.2',
  '/usr/lib/libjemalloc.so.2',
];

/** As in the Dockerfile. */
export const imageSettings = {
  MALLOC_CONF: 'narenas:1,tcache_max:1024,background_thread:true,dirty_decay_ms:1000,muzzy_decay_ms:0',
  NODE_OPTIONS: '--max-semi-space-size=4 --expose-gc',
} as const;

/** The allocator of the image on this machine; undefined where its package (libjemalloc2 on Debian) is not installed. */
export function jemallocPath(): string | undefined {
  return libraries.find((path) => existsSync(path));
}

/** What the image sets for its processes, with the C library's malloc where jemalloc is not installed. */
export function imageEnvironment(): Readonly<Record<string, string>> {
  const library = jemallocPath();
  return { ...imageSettings, ...(library === undefined ? {} : { LD_PRELOAD: library }) };
}
