/** The title of a session that nobody has named yet. */
export function newSessionTitle(now: number): string {
  return `New session - ${new Date(now).toISOString()}`
}

export function isNewSessionTitle(title: string): boolean {
  return /^New session - \d{4}-\d\d-\d\dT/.test(title)
}
