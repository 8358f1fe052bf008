/** What the command line reads of its environment. */
export const env = { PATH: process.env.PATH }
