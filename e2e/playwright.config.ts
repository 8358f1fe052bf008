import { chooseSampling } from "@docket/config/choose-sampling"
import { defineConfig, devices } from "@playwright/test"

const reportFile = process.env.PLAYWRIGHT_JSON_OUTPUT_NAME

export default defineConfig({
  // Worker processes load this configuration again and must get the same random choice.
  metadata: chooseSampling(process.env),
  testDir: "src",
  // Tests without a browser are in files that Vitest runs.
  testMatch: "*.spec.ts",
  outputDir: "../test-results/browser",
  // Every test starts a server and a browser: more than two at once only wait for each other.
  workers: 2,
  fullyParallel: true,
  // `npm test` repeats a failed test once; a test that passes only then is named at the end and counted.
  retries: reportFile ? 1 : 0,
  // Limits for what never happens, not for what is slow: in CI other work runs at the same time.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: reportFile ? [["list"], ["json", { outputFile: reportFile }]] : [["list"]],
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    // Recording a trace takes a fifth of the whole time.
    trace: reportFile ? "on-first-retry" : "retain-on-failure",
    // A browser without a graphics card draws each frame of a turning sign by itself: that takes most of a processor.
    contextOptions: { reducedMotion: "reduce" },
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
