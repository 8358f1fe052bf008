/** All environment variables that the command line reads. */
export const env = {
  PATH: process.env.PATH,
  /** The default data directory. */
  /** How long the Tab key waits for a service (ms). */
  DOCKET_COMPLETION_WAIT: process.env.DOCKET_COMPLETION_WAIT,
  DOCKET_DATA: process.env.DOCKET_DATA,
  /** A key for the server that `--server` names, in place of a sign-in. It goes nowhere else. */
  DOCKET_KEY: process.env.DOCKET_KEY,
  DOCKET_SHARE_PASSWORD: process.env.DOCKET_SHARE_PASSWORD,
  /** Where the service sends traces and metrics, for `docket doctor`. */
  OTEL_EXPORTER_OTLP_ENDPOINT: process.env.OTEL_EXPORTER_OTLP_ENDPOINT,
  OTEL_EXPORTER_OTLP_HEADERS: process.env.OTEL_EXPORTER_OTLP_HEADERS,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
  OTEL_SDK_DISABLED: process.env.OTEL_SDK_DISABLED,
  OTEL_TRACES_EXPORTER: process.env.OTEL_TRACES_EXPORTER,
  XDG_CACHE_HOME: process.env.XDG_CACHE_HOME,
  XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME,
}
