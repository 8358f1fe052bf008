import { createEnv } from "@t3-oss/env-core"
import { z } from "zod"

/** The variables that Docket itself reads. Those of providers are read where providers are found. */
export const env = createEnv({
  server: {
    /** `postgres://…` stores everything in PostgreSQL instead of a file in the data directory. */
    DATABASE_URL: z
      .url({ protocol: /^postgres(ql)?$/, error: "has to be like postgres://user:password@host/name" })
      .optional(),
    /** `team`: with accounts, also without a `team.json`; `local`: without, whatever lies there. */
    DOCKET_AUTH: z.enum(["team", "local"], { error: 'has to be "team" or "local"' }).optional(),
    /** Where a team reaches the service. */
    DOCKET_URL: z.url({ protocol: /^https?$/, error: "has to be like https://docket.example.org" }).optional(),
  },
  runtimeEnv: process.env,
  emptyStringAsUndefined: true,
  onValidationError(issues) {
    // Without the value: it may hold a password.
    for (const { path, message } of issues) process.stderr.write(`docket: ${path?.join(".")} ${message}\n`)
    process.exit(2)
  },
})

/** The environment as the user gave it, for provider keys and for commands that tools run. */
export const processEnv: Record<string, string | undefined> = { ...process.env }

export interface WebEnvironment {
  /** What its login page tells a person to run. */
  loginCommand: string
  /** Whether people have accounts. */
  hasAccounts: boolean
  /** Where they can also sign in, as the login page names it. */
  providers: readonly { id: string; name: string }[]
}

/** What the web app finds in its environment. Next reads it when it loads. */
export function setWebEnvironment({ loginCommand, hasAccounts, providers }: WebEnvironment): void {
  Object.assign(process.env, {
    DOCKET_LOGIN_COMMAND: loginCommand,
    DOCKET_LOGIN_BY: hasAccounts ? "account" : "link",
    DOCKET_LOGIN_PROVIDERS: JSON.stringify(providers),
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
  })
}
