/** Bytes of a file that is imported. */
export const maxImportBytes = 64 * 1024 * 1024
