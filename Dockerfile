FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev
# The base image has Node already; the command line and plugins are started by their path.
RUN rm -rf node_modules/node node_modules/.bin/node && chmod 755 dist/plugins/secretreader.js dist/cli/main.js && \
  mkdir bin && ln -s ../dist/cli/main.js bin/knative-fleet

FROM node:24-bookworm-slim
WORKDIR /app
# What a burst of installs needed goes back to the system: few arenas of malloc, however many threads there are, large
# pieces apart, and a small young generation of V8.
ENV NODE_ENV=production PATH=/app/bin:$PATH MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=8192 MALLOC_TRIM_THRESHOLD_=131072 NODE_OPTIONS=--max-semi-space-size=4
COPY --from=build --chown=root:root /app/package.json ./
COPY --from=build --chown=root:root /app/node_modules ./node_modules
COPY --from=build --chown=root:root /app/dist ./dist
COPY --from=build --chown=root:root /app/bin ./bin
COPY --from=build --chown=root:root /app/releases ./releases
USER 65532:65532
CMD ["node", "dist/worker/main.js"]
