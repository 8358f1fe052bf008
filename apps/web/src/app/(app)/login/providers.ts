export interface SignInProvider {
  id: string
  name: string
}

/** The message for a failed sign-in with a provider, by the error code of better-auth or the provider. */
export function providerProblem(search: string): string | null {
  const error = new URLSearchParams(search).get("error")
  if (error === null) return null
  switch (error) {
    case "unable_to_create_user":
    case "signup_disabled":
    case "unable_to_link_account":
      return "Nobody is invited by the address of that account. Ask an administrator of your team."
    case "account_not_linked":
      return "That account has not verified its e-mail address, so it opens nothing here. Verify it there, or sign in another way."
    case "email_not_found":
      return "That account gave no e-mail address. Sign in another way."
    case "access_denied":
      return "It was refused there. Try again, or sign in another way."
    case "state_mismatch":
    case "state_not_found":
    case "please_restart_the_process":
      return "That took too long, or began in another browser. Try again."
    default:
      return "That did not work. Try again, or sign in another way."
  }
}
