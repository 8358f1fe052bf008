/** Who a token of a tenant stands for: nobody but itself. */
export function tokenPerson(id: string): string {
  return `token:${id}`
}
