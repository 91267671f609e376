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
# Fewer arenas of malloc: the many threads beside Node's own would each keep what they once needed.
ENV NODE_ENV=production PATH=/app/bin:$PATH MALLOC_ARENA_MAX=2
COPY --from=build --chown=root:root /app/package.json ./
COPY --from=build --chown=root:root /app/node_modules ./node_modules
COPY --from=build --chown=root:root /app/dist ./dist
COPY --from=build --chown=root:root /app/bin ./bin
COPY --from=build --chown=root:root /app/releases ./releases
USER 65532:65532
CMD ["node", "dist/worker/main.js"]
