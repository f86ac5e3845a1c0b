# The image of the API, of the worker and of the operator's commands. PROCESS says what a container does.
# A tag moves: releases give the base by its digest, --build-arg NODE_IMAGE=node@sha256:…
ARG NODE_IMAGE=node:24-bookworm-slim

# What npm must know of each workspace.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY package.json package-lock.json LICENSE ./
COPY client/package.json client/
COPY local-postgres/package.json local-postgres/
COPY panel/package.json panel/
COPY server/package.json server/
COPY simulator/package.json simulator/
COPY tools/package.json tools/

# The panel's files.
FROM manifests AS panel
RUN npm ci --workspace panel --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY panel panel
RUN node panel/build.ts \
  && mkdir /licences \
  && find node_modules -type f \( -iname 'licen[cs]e*' -o -iname 'notice*' -o -iname 'copying*' \) -exec cp --parents -t /licences {} +

# What the server runs with, without what only its development needs.
FROM manifests AS server
RUN npm ci --workspace server --omit=dev --ignore-scripts --no-audit --no-fund \
  && find node_modules -type l -path '*/@swapbell/*' -delete \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \
    -o -name '*.md' ! -iname 'licen[cs]e*' ! -iname 'notice*' ! -iname 'copying*' \) -delete
COPY server/migrations server/migrations
COPY server/src server/src
COPY deploy/healthcheck.ts deploy/
COPY --from=panel /app/panel/dist panel/dist
# Of what is bundled into the panel.
COPY --from=panel /licences panel/licences

# Node, the libraries it is linked with, and nothing else: no shell, no package manager.
FROM ${NODE_IMAGE} AS base
RUN mkdir -p /base/etc /base/tmp /base/app \
  && ldd /usr/local/bin/node | grep -o '/[^ )]*' | xargs -I{} cp --parents --dereference {} /base \
  && cp --parents /usr/local/bin/node /usr/local/LICENSE /base \
  && cp --parents --dereference /usr/share/doc/*/copyright /base \
  && echo 'swapbell:x:10001:10001::/tmp:/sbin/nologin' > /base/etc/passwd \
  && echo 'swapbell:x:10001:' > /base/etc/group \
  && echo 'hosts: files dns' > /base/etc/nsswitch.conf \
  && chmod 1777 /base/tmp

# Stands in for Expo in a trial: docker build --target simulator
FROM manifests AS simulator-files
RUN npm ci --workspace simulator --omit=dev --ignore-scripts --no-audit --no-fund \
  && mkdir -p node_modules && find node_modules -type l -path '*/@swapbell/*' -delete
COPY simulator simulator

FROM scratch AS simulator
COPY --from=base /base /
COPY --from=simulator-files /app /app
WORKDIR /app
USER 10001:10001
ENV NODE_ENV=production SIM_HOST=0.0.0.0 PATH=/usr/local/bin
EXPOSE 3200
ENTRYPOINT ["node"]
CMD ["simulator/src/main.ts"]

FROM scratch
COPY --from=base /base /
COPY --from=server /app /app
WORKDIR /app
USER 10001:10001
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 PATH=/usr/local/bin
# The heap stays below the limit of the containers' memory (768 MB), and glibc keeps no memory for each thread.
ENV NODE_OPTIONS=--max-old-space-size=512 MALLOC_ARENA_MAX=1
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 CMD ["node", "deploy/healthcheck.ts"]
ENTRYPOINT ["node"]
CMD ["server/src/main.ts"]
