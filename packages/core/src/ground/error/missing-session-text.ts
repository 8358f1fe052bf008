/** What is said of a session that does not exist, or that the caller may not see: both look the same. */
export function missingSessionText(id: string): string {
  return `There is no session ${id} that you can see. List those that you can: docket sessions list.`
}
