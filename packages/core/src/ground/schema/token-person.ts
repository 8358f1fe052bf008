/** The person id for a token of a tenant: the token stands for no real person, only for itself. */
export function tokenPerson(id: string): string {
  return `token:${id}`
}
