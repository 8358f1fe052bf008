import type { SignInProvider } from "./providers.ts"

/** The command that prints a new login link on this machine, as configured by the server. */
export function loginCommand(): string {
  return process.env.DOCKET_LOGIN_COMMAND ?? "docket login"
}

/** Whether users sign in with their own accounts. */
export function hasAccounts(): boolean {
  return process.env.DOCKET_LOGIN_BY === "account"
}

/** The external sign-in providers, as configured by the server. */
export function loginProviders(): SignInProvider[] {
  // Written by the server, which also serves these pages.
  return JSON.parse(process.env.DOCKET_LOGIN_PROVIDERS ?? "[]") as SignInProvider[]
}
