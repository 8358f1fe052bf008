const secretPatterns: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|xai|nvapi|hf|ghp|pplx|csk|fw)[-_][\w*.-]{6,}/g,
  /\bAIza[\w*-]{10,}/g,
  /\b(?<=Bearer )[^\s"',]+/gi,
  /(?<=[?&](?:api_?key|key|token)=)[^&\s"']+/gi,
  /(?<="?(?:x-api-key|api[-_]?key|authorization)"?\s*[:=]\s*"?)(?!Bearer\b)[\w.*-]{8,}/gi,
]

/** Replaces text that looks like a key or token, complete or masked, with `[key]`. */
export function redactSecrets(text: string): string {
  return secretPatterns.reduce((result, pattern) => result.replace(pattern, "[key]"), text)
}
