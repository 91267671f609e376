FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev
# The base image has Node already; the command line and plugins are started by their path.
RUN rm -rf node_modules/node node_modules/.bin/node && chmod 755 dist/plugins/secretreader.js dist/cli/main.js && \
  mkdir bin && ln -s ../dist/cli/main.js bin/knative-fleet

FROM node:24-bookworm-slim AS allocator
WORKDIR /allocator
RUN apt-get update && apt-get install -y --no-install-recommends libjemalloc2 && cp /usr/lib/*/libjemalloc.so.2 .

FROM node:24-bookworm-slim
WORKDIR /app
# What a burst of installs needed goes back to the system (docs/decisions/0009-memory-of-a-worker.md): jemalloc in place of
# the C library's malloc, a small young generation of V8, and the means to collect garbage when a burst is over.
ENV NODE_ENV=production PATH=/app/bin:$PATH LD_PRELOAD=/app/lib/libjemalloc.so.2 \
  MALLOC_CONF=narenas:1,tcache_max:1024,background_thread:true,dirty_decay_ms:1000,muzzy_decay_ms:0 \
  NODE_OPTIONS="--max-semi-space-size=4 --expose-gc"
COPY --from=allocator --chown=root:root /allocator/libjemalloc.so.2 ./lib/
COPY --from=build --chown=root:root /app/package.json ./
COPY --from=build --chown=root:root /app/node_modules ./node_modules
COPY --from=build --chown=root:root /app/dist ./dist
COPY --from=build --chown=root:root /app/bin ./bin
COPY --from=build --chown=root:root /app/releases ./releases
USER 65532:65532
CMD ["node", "dist/worker/main.js"]
