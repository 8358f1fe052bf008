/** Most bytes of an imported file. */
export const maxImportBytes = 64 * 1024 * 1024
