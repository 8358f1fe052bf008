import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { chooseSampling } from "./scripts/test/sampling.mjs"
import { ServicesFirst } from "./scripts/test/services-first.mjs"

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "config", root: "packages/config" } },
      { extends: true, test: { name: "core", root: "packages/core" } },
      { extends: true, test: { name: "api", root: "packages/api" } },
      { extends: true, test: { name: "client", root: "packages/client" } },
      { extends: true, test: { name: "db", root: "prisma" } },
      { extends: true, test: { name: "server", root: "apps/server" } },
      { extends: true, test: { name: "cli", root: "apps/cli" } },
      { extends: true, test: { name: "web", root: "apps/web" } },
      { extends: true, test: { name: "bench", root: "bench" } },
      { extends: true, test: { name: "scripts", root: "scripts", include: ["**/*.test.mjs"] } },
      // Each starts a service, some PostgreSQL and more than one service.
      { extends: true, test: { name: "service", root: "e2e", testTimeout: 120_000 } },
    ],
    include: ["src/**/*.test.{ts,tsx}"],
    passWithNoTests: true,
    provide: chooseSampling(process.env),
    // Vitest leaves one core free; half of what these tests do is to wait for processes.
    maxWorkers: Math.max(2, availableParallelism()),
    sequence: { sequencer: ServicesFirst },
    // Contract suites start PostgreSQL and git; two busy cores need room.
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
