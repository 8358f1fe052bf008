/** Docket's version. A test compares it with the manifest. */
export const clientVersion = "0.1.0"
