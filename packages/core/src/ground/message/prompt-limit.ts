/** The largest prompt (bytes of UTF-8). Longer text belongs in a file. */
export const maxPromptBytes = 1_048_576
