import { z } from "zod"
import { createEngine, usualAddress } from "../engine.ts"

const Images = z.array(z.object({ RepoTags: z.array(z.string()).nullish() }))

/**
 * A container engine of this machine with an image for tests, called `docket-test`; or why there is none. The variable
 * DOCKET_TEST_ENGINE names another address than the usual one.
 */
export async function realEngine(): Promise<{ host: string; image: string } | { lack: string }> {
  const host = process.env.DOCKET_TEST_ENGINE ?? usualAddress
  try {
    const { body } = await createEngine({ host }).call("GET", "/images/json", { timeout: 5_000 })
    const tags = Images.parse(body).flatMap(({ RepoTags }) => RepoTags ?? [])
    const image = tags.find((tag) => tag.startsWith("docket-test:"))
    return image === undefined ? { lack: `the engine at ${host} has no image docket-test` } : { host, image }
  } catch (error) {
    return { lack: error instanceof Error ? error.message : String(error) }
  }
}
