# Image of Octavo: build and install with npm, run without a shell, as a user without rights, on a read-only root.
#
#   docker build -t octavo . && docker run -p 4000:4000 -v octavo:/data octavo
#
# tests/package.test.ts does the same steps in a folder, and runs the result on a root file system of this kind.

FROM node:20-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm pack --pack-destination /tmp && mv /tmp/octavo-*.tgz /tmp/octavo.tgz

FROM node:20-bookworm-slim AS install
WORKDIR /opt/octavo
COPY --from=build /tmp/octavo.tgz /tmp/octavo.tgz
RUN tar -xzf /tmp/octavo.tgz --strip-components=1
COPY package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund && node bin/octavo.js --version
# What only compilers and other platforms read: a fifth of the install.
RUN find node_modules \( -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' -o -name '*.map' \) -delete \
  && rm -rf node_modules/@photostructure/sqlite/src \
  && find node_modules/@photostructure/sqlite/prebuilds -mindepth 1 -maxdepth 1 -type d \
    ! -name "linux-$(node -p process.arch)" -exec rm -rf {} + \
  && mkdir /empty

FROM gcr.io/distroless/nodejs20-debian12:nonroot
COPY --from=install /opt/octavo /opt/octavo
# A new volume gets the owner of this folder.
COPY --from=install --chown=nonroot:nonroot /empty /data
ENV NODE_ENV=production OCTAVO_DATA=/data OCTAVO_HOST=0.0.0.0 OCTAVO_PORT=4000
VOLUME /data
EXPOSE 4000
WORKDIR /data
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["/nodejs/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.OCTAVO_PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/nodejs/bin/node", "/opt/octavo/bin/octavo.js"]
CMD ["serve"]
