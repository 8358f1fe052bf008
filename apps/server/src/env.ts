import { createEnv } from "@t3-oss/env-core"
import { z } from "zod"

const receiver = z.url({ protocol: /^https?$/, error: "has to be like http://127.0.0.1:4318" }).optional()

/** The environment variables of Docket itself. Those of providers are read where providers are found. */
export const env = createEnv({
  server: {
    /** `postgres://…` stores everything in PostgreSQL instead of a file in the data directory. */
    DATABASE_URL: z
      .url({ protocol: /^postgres(ql)?$/, error: "has to be like postgres://user:password@host/name" })
      .optional(),
    /** `team`: with accounts, even without a `team.json`; `local`: without accounts in any case. */
    DOCKET_AUTH: z.enum(["team", "local"], { error: 'has to be "team" or "local"' }).optional(),
    /** Encrypts the secrets in a database that several nodes share. */
    DOCKET_SECRET_KEY: z.string().optional(),
    /** Takes the place of DOCKET_SECRET_KEY (`docket secrets rotate`). */
    DOCKET_SECRET_KEY_NEW: z.string().optional(),
    /** Where nodes keep contents for each other: `s3://bucket/prefix`, or `file:///directory` that all hosts have. */
    DOCKET_BLOBS: z.string().optional(),
    /** Whether the bucket is in the path of requests, not in the name of the host. */
    DOCKET_BLOBS_PATH_STYLE: z
      .enum(["true", "false"], { error: 'has to be "true" or "false"' })
      .transform((value) => value === "true")
      .optional(),
    /** The S3 service of DOCKET_BLOBS, where it is not Amazon's; then its region and keys. */
    AWS_ENDPOINT_URL_S3: z.string().optional(),
    AWS_REGION: z.string().optional(),
    AWS_ACCESS_KEY_ID: z.string().optional(),
    AWS_SECRET_ACCESS_KEY: z.string().optional(),
    AWS_SESSION_TOKEN: z.string().optional(),
    /** The address of a team's service. */
    DOCKET_URL: z.url({ protocol: /^https?$/, error: "has to be like https://docket.example.org" }).optional(),
    /** Where metrics can be read, like 127.0.0.1:9464, and what readers from other machines have to send. */
    DOCKET_METRICS: z.string().optional(),
    DOCKET_METRICS_TOKEN: z.string().min(16, { error: "has to have 16 characters or more" }).optional(),
    /** Whether spans hold what was said. */
    DOCKET_TELEMETRY_CONTENT: z.enum(["on", "off"], { error: 'has to be "on" or "off"' }).optional(),
    /** The hosts of model providers that are told of spans, with commas between. */
    DOCKET_TELEMETRY_HOSTS: z.string().optional(),
    /** Those of OpenTelemetry that Docket knows. */
    OTEL_SDK_DISABLED: z.string().optional(),
    OTEL_SERVICE_NAME: z.string().optional(),
    OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: receiver,
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: receiver,
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: receiver,
    OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
    OTEL_EXPORTER_OTLP_PROTOCOL: z.string().optional(),
    OTEL_TRACES_EXPORTER: z.string().optional(),
    OTEL_METRICS_EXPORTER: z.string().optional(),
    OTEL_LOGS_EXPORTER: z.string().optional(),
    OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).optional(),
    OTEL_BSP_SCHEDULE_DELAY: z.coerce.number().int().positive().optional(),
    OTEL_METRIC_EXPORT_INTERVAL: z.coerce.number().int().positive().optional(),
  },
  runtimeEnv: process.env,
  emptyStringAsUndefined: true,
  onValidationError(issues) {
    // Printed without the value, which may contain a password.
    for (const { path, message } of issues) process.stderr.write(`docket: ${path?.join(".")} ${message}\n`)
    process.exit(2)
  },
})

const withheld = ["DOCKET_SECRET_KEY", "DOCKET_SECRET_KEY_NEW", "DOCKET_METRICS_TOKEN", "OTEL_EXPORTER_OTLP_HEADERS"]
/** They open the contents of all workspaces. */
const keysOfBlobs = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"]
if (env.DOCKET_BLOBS !== undefined) withheld.push(...keysOfBlobs)

/** The user's environment, for provider keys and for commands that tools run: without the service's own secrets. */
export const processEnv: Record<string, string | undefined> = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !withheld.includes(name)),
)

/** Whether anybody is to be told what the service does. */
export function isWatched(): boolean {
  const isOff = env.OTEL_SDK_DISABLED?.toLowerCase() === "true"
  const receivers = [
    env.OTEL_EXPORTER_OTLP_ENDPOINT,
    env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
    env.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT,
    env.OTEL_EXPORTER_OTLP_LOGS_ENDPOINT,
  ]
  return env.DOCKET_METRICS !== undefined || (!isOff && receivers.some((url) => url !== undefined))
}

export interface WebEnvironment {
  /** The command that the login page shows to the user. */
  loginCommand: string
  /** Whether users have accounts. */
  hasAccounts: boolean
  /** Sign-in providers, as named on the login page. */
  providers: readonly { id: string; name: string }[]
}

/**
 * Sets the settings that Next was built with, in the variable in which its own server passes them on. Otherwise it looks
 * for its configuration file, and needs a compiler for it.
 */
export function setNextSettings(settings: unknown): void {
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(settings)
}

/** Sets the environment variables of the web app. Next reads them when it loads. */
export function setWebEnvironment({ loginCommand, hasAccounts, providers }: WebEnvironment): void {
  Object.assign(process.env, {
    DOCKET_LOGIN_COMMAND: loginCommand,
    DOCKET_LOGIN_BY: hasAccounts ? "account" : "link",
    DOCKET_LOGIN_PROVIDERS: JSON.stringify(providers),
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
  })
}
