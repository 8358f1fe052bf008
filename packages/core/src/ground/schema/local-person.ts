/** The one user of a service that has no accounts. */
export const localPerson = "local"
