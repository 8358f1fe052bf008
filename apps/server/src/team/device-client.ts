/** The only client id that may request a device code: Docket's own command line. */
export const deviceClient = "docket-cli"
