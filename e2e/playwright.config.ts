import { chooseSampling } from "@docket/config/choose-sampling"
import { defineConfig, devices } from "@playwright/test"

const reportFile = process.env.PLAYWRIGHT_JSON_OUTPUT_NAME

export default defineConfig({
  // Its own processes read the configuration again, and draw the same.
  metadata: chooseSampling(process.env),
  testDir: "src",
  // What needs no browser is in files that Vitest runs.
  testMatch: "*.spec.ts",
  outputDir: "../test-results/browser",
  // Every test starts a server and a browser of its own: more than two at once only wait for each other.
  workers: 2,
  fullyParallel: true,
  // `npm test` asks a failing test once more; one that passes then is named at the end, and counted.
  retries: reportFile ? 1 : 0,
  // Limits for what never comes, not for what is slow: everything else that CI does runs at the same time.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: reportFile ? [["list"], ["json", { outputFile: reportFile }]] : [["list"]],
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    // A trace costs a fifth of all the work.
    trace: reportFile ? "on-first-retry" : "retain-on-failure",
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
})
