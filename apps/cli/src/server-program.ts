import { fileURLToPath } from "node:url"

/** The service that `docket serve` starts and that `docket run` starts when none is running. */
export const serverProgram = fileURLToPath(new URL("../../server/src/main.js", import.meta.url))
