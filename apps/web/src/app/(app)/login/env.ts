import type { SignInProvider } from "./providers.ts"

/** The command that prints a new login link on this machine, as the service that serves the pages says. */
export function loginCommand(): string {
  return process.env.DOCKET_LOGIN_COMMAND ?? "docket login"
}

/** Whether people sign in with accounts of their own. */
export function hasAccounts(): boolean {
  return process.env.DOCKET_LOGIN_BY === "account"
}

/** Where people can sign in elsewhere, as the service says it. */
export function loginProviders(): SignInProvider[] {
  // The service that serves the pages wrote it.
  return JSON.parse(process.env.DOCKET_LOGIN_PROVIDERS ?? "[]") as SignInProvider[]
}
