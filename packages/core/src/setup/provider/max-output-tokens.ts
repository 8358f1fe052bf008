/** Our own ceiling where a model allows more: longer answers are rare and cost context. */
export const maxOutputTokens = 32_000
