import { createEnv } from "@t3-oss/env-core"
import { z } from "zod"

/** The variables that Docket itself reads. Those of providers are read where providers are found. */
export const env = createEnv({
  server: {
    /** `postgres://…` stores everything in PostgreSQL instead of a file in the data directory. */
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  },
  runtimeEnv: process.env,
  emptyStringAsUndefined: true,
})

/** The environment as the user gave it, for provider keys and for commands that tools run. */
export const processEnv: Record<string, string | undefined> = { ...process.env }

export interface WebEnvironment {
  /** What its login page tells a person to run. */
  loginCommand: string
}

/** What the web app finds in its environment. Next reads it when it loads. */
export function setWebEnvironment({ loginCommand }: WebEnvironment): void {
  Object.assign(process.env, {
    DOCKET_LOGIN_COMMAND: loginCommand,
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
  })
}
