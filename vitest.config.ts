import { defineConfig } from "vitest/config"
import { chooseSampling } from "./scripts/test/sampling.mjs"

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
    ],
    include: ["src/**/*.test.{ts,tsx}"],
    passWithNoTests: true,
    provide: chooseSampling(process.env),
    // Contract suites start PostgreSQL and git; two busy cores need room.
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
