/**
 * ms. `ask`: for a step of a sign-in, or what is made of one. `person`: for a person to finish it. `answer`: until the next
 * piece of a provider's answer.
 */
export const usualAccountTimes: AccountTimes = { ask: 30_000, person: 15 * 60_000, answer: 5 * 60_000 }
export type AccountTimes = Record<"ask" | "person" | "answer", number>
