import { createEnv } from "@t3-oss/env-core"
import { z } from "zod"

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
    /** The address of a team's service. */
    DOCKET_URL: z.url({ protocol: /^https?$/, error: "has to be like https://docket.example.org" }).optional(),
  },
  runtimeEnv: process.env,
  emptyStringAsUndefined: true,
  onValidationError(issues) {
    // Printed without the value, which may contain a password.
    for (const { path, message } of issues) process.stderr.write(`docket: ${path?.join(".")} ${message}\n`)
    process.exit(2)
  },
})

const { DOCKET_SECRET_KEY: _, DOCKET_SECRET_KEY_NEW: __, ...others } = process.env

/** The user's environment, for provider keys and for commands that tools run: without the key of all secrets. */
export const processEnv: Record<string, string | undefined> = others

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
