/** That of Docket, from which the client was packed: a test holds it to the manifest. */
export const clientVersion = "0.1.0"
