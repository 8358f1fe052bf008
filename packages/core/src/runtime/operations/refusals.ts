/** What many routes of `/v1` refuse, in the same words. */
export const missing = { 404: "there is no such thing, or it is another tenant's" }
export const invalid = { 400: "the request is not valid; says what is wrong" }
