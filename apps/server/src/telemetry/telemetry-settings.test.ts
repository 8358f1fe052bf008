import { expect, test } from "vitest"
import { readTelemetrySettings } from "./telemetry-settings.ts"

test("one endpoint receives spans and metrics, unless a signal has its own", () => {
  const endpoint = "http://collector:4318/otlp/"
  expect(readTelemetrySettings({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).toMatchObject({
    tracesURL: "http://collector:4318/otlp/v1/traces",
    metricsURL: "http://collector:4318/otlp/v1/metrics",
    content: false,
    hosts: [],
  })
  const own = readTelemetrySettings({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://traces/in",
    OTEL_METRICS_EXPORTER: "none",
  })
  expect(own).toMatchObject({ tracesURL: "http://traces/in", metricsURL: null })
})

test("OTEL_SDK_DISABLED sends nothing, and leaves Prometheus", () => {
  const given = { OTEL_SDK_DISABLED: "true", OTEL_EXPORTER_OTLP_ENDPOINT: "http://x", DOCKET_METRICS: "9464" }
  expect(readTelemetrySettings(given)).toMatchObject({
    ...{ tracesURL: null, metricsURL: null, prometheus: { host: "127.0.0.1", port: 9464, token: null } },
  })
})

test("headers and attributes are pairs, with values encoded as in URLs", () => {
  const given = {
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20YQ==, x-team=a,broken",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test,rate=100%",
  }
  expect(readTelemetrySettings(given)).toMatchObject({
    headers: { authorization: "Basic YQ==", "x-team": "a" },
    resource: { "deployment.environment.name": "test", rate: "100%" },
  })
})

test("metrics for other machines need a token", () => {
  const read = (DOCKET_METRICS: string, DOCKET_METRICS_TOKEN?: string) =>
    readTelemetrySettings({ DOCKET_METRICS, DOCKET_METRICS_TOKEN }).prometheus
  expect(() => read("0.0.0.0:9464")).toThrow("DOCKET_METRICS_TOKEN")
  expect(read("0.0.0.0:9464", "secret-secret-secret")).toMatchObject({ host: "0.0.0.0" })
  expect(read("[::1]:9464")).toEqual({ host: "::1", port: 9464, token: null })
  for (const wrong of ["here", "1.2.3.4", "127.0.0.1:99999"]) expect(() => read(wrong)).toThrow("DOCKET_METRICS")
})

test("a protocol that is not spoken is refused by name", () => {
  expect(() => readTelemetrySettings({ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })).toThrow("4318")
})
