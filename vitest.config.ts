import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { chooseSampling } from "./packages/config/src/choose-sampling.mjs"
import { ServicesFirst } from "./scripts/test/services-first.mjs"

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "config", root: "packages/config" } },
      { extends: true, test: { name: "core", root: "packages/core" } },
      { extends: true, test: { name: "api", root: "packages/api" } },
      { extends: true, test: { name: "compat", root: "packages/compat" } },
      { extends: true, test: { name: "lsp", root: "packages/lsp" } },
      { extends: true, test: { name: "mcp", root: "packages/mcp" } },
      { extends: true, test: { name: "nodes", root: "packages/nodes" } },
      { extends: true, test: { name: "blobs", root: "packages/blobs" } },
      { extends: true, test: { name: "plugins", root: "packages/plugins" } },
      { extends: true, test: { name: "hooks", root: "packages/hooks" } },
      { extends: true, test: { name: "acp", root: "packages/acp" } },
      { extends: true, test: { name: "docker", root: "packages/docker" } },
      { extends: true, test: { name: "client", root: "packages/client" } },
      { extends: true, test: { name: "db", root: "prisma" } },
      { extends: true, test: { name: "server", root: "apps/server" } },
      { extends: true, test: { name: "cli", root: "apps/cli" } },
      { extends: true, test: { name: "web", root: "apps/web" } },
      { extends: true, test: { name: "release", root: "packages/release" } },
      { extends: true, test: { name: "bench", root: "bench" } },
      { extends: true, test: { name: "scripts", root: "scripts", include: ["**/*.test.mjs"] } },
      // Each starts a service, some PostgreSQL and more than one service.
      { extends: true, test: { name: "service", root: "e2e" } },
    ],
    include: ["src/**/*.test.{ts,tsx}"],
    // Files of one worker share its process and modules; nothing in them lasts beyond a file.
    isolate: false,
    passWithNoTests: true,
    provide: chooseSampling(process.env),
    globalSetup: ["./prisma/test/shared-postgres.ts"],
    // Half of what these tests do is to wait for processes: one worker more than cores keeps these busy.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: ServicesFirst },
    // Limits for what never comes, not for what is slow: on two busy cores, suites that start services, PostgreSQL and
    // git take many times as long as on their own.
    expect: { poll: { timeout: 60_000, interval: 20 } },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
