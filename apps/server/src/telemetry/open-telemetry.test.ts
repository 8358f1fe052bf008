import { startOtlpReceiver } from "@docket/config/otlp-receiver"
import { DocketError } from "@docket/core"
import { expect, onTestFinished, test } from "vitest"
import { openTelemetry, type Telemetry } from "./open-telemetry.ts"
import { readTelemetrySettings } from "./telemetry-settings.ts"

/** Telemetry that is sent to a receiver when it is closed. */
async function opened(variables: { DOCKET_TELEMETRY_CONTENT?: "on"; OTEL_LOGS_EXPORTER?: string } = {}) {
  const receiver = await startOtlpReceiver()
  onTestFinished(receiver.stop)
  const settings = readTelemetrySettings({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...variables })
  const telemetry = await openTelemetry(settings, {
    ...{ clock: Date.now, now: () => performance.now(), version: "1", instance: "i", role: "all" },
    report: (text) => expect.fail(text),
  })
  return { receiver, telemetry }
}

/** Tells a line within a turn. */
function inTurn({ trace, log }: Telemetry, line: Parameters<Telemetry["log"]>[0]): void {
  const ids = { sessionID: "ses_1", rootID: "ses_1", turnID: "trn_1" }
  const secrets = async () => ({ known: [], patterns: [] })
  const span = trace.begin("turn", { agent: "build", ...ids, attempt: 1, isTakeover: false, secrets })
  span.run(() => log(line))
  span.end()
}

const failure = new DocketError(
  "store_unavailable",
  "the words of ada with sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789",
)

test("a log line names its span and the error", async () => {
  const { receiver, telemetry } = await opened()
  telemetry.log({ text: "listening" })
  inTurn(telemetry, { text: "a background task failed", error: failure })
  await telemetry.close()
  const [span] = receiver.spans
  expect(receiver.logs).toEqual([
    { traceID: null, spanID: null, severity: "INFO", text: "listening", attributes: {} },
    {
      ...{ traceID: span?.traceID, spanID: span?.spanID, severity: "ERROR", text: "a background task failed" },
      attributes: { "exception.type": "store_unavailable" },
    },
  ])
})

test("with content, lines hold words of errors without secrets", async () => {
  const { receiver, telemetry } = await opened({ DOCKET_TELEMETRY_CONTENT: "on" })
  inTurn(telemetry, { text: "a background task failed", error: failure })
  await telemetry.close()
  const [line] = receiver.logs
  expect(line?.attributes["exception.message"]).toContain("the words of ada with")
  expect(line?.attributes["exception.stacktrace"]).toContain("open-telemetry.test.ts")
  expect(JSON.stringify(receiver.logs)).not.toContain("abcdefghijklmnopqrstuvwxyz")
})

test("secrets in lines are taken out, and waiting lines are bounded", async () => {
  const { receiver, telemetry } = await opened()
  telemetry.log({ text: "key sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789 and more" })
  for (let count = 0; count < 10_000; count++) telemetry.log({ text: "again" })
  await telemetry.close()
  expect(JSON.stringify(receiver.logs)).not.toContain("abcdefghijklmnopqrstuvwxyz")
  expect(receiver.logs.length).toBeGreaterThan(0)
  expect(receiver.logs.length).toBeLessThanOrEqual(2_048 + 512)
})

test("no lines are sent when they are left out", async () => {
  const { receiver, telemetry } = await opened({ OTEL_LOGS_EXPORTER: "none" })
  inTurn(telemetry, { text: "a background task failed", error: failure })
  await telemetry.close()
  expect(receiver.logs).toEqual([])
  expect(receiver.spans.length).toBe(1)
})
