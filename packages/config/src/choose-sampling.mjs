import { randomInt } from "node:crypto"

/**
 * What the tests draw from: the seed of DOCKET_TEST_SEED, else a new one, which is printed; and whether they try
 * everything (DOCKET_TEST_FULL). A second call in one process returns the same, because a new seed is stored in `env`.
 * @param {Record<string, string | undefined>} env
 * @returns {{ seed: number, full: boolean }}
 */
export function chooseSampling(env) {
  if (env.DOCKET_TEST_SEED === undefined) {
    env.DOCKET_TEST_SEED = String(randomInt(2 ** 31))
    process.stderr.write(`What is drawn is chosen by DOCKET_TEST_SEED=${env.DOCKET_TEST_SEED}\n`)
  }
  const seed = Number(env.DOCKET_TEST_SEED)
  if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 31)
    throw new Error(`DOCKET_TEST_SEED is ${env.DOCKET_TEST_SEED}: give a whole number from 0 to 2147483647.`)
  return { seed, full: env.DOCKET_TEST_FULL === "1" }
}
