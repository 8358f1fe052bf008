/** Docket's version. A test compares it with package.json. */
export const clientVersion = "0.1.0"
