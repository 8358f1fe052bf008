/** The one program that may ask for a code: Docket's own command line. */
export const deviceClient = "docket-cli"
