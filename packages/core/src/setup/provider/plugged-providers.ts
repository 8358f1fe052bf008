import type { ModelInfo } from "../../ground/schema/index.ts"
import type { KeyTarget } from "./saved-key.ts"

/** A sign-in that counts, by what tells it from all others: another one begins with each time that a person signs in. */
export interface ProviderAccount {
  plugin: string
  providerID: string
  /** When the person signed in (epoch ms). */
  since: number
}

/** A provider that a plugin of the user's signs in to, or names models of. */
export interface PluggedProvider {
  id: string
  /** The plugin that signs in to it; null when it only names models. */
  signsIn: string | null
  /** Null while nobody is signed in. */
  account: ProviderAccount | null
  /** The recipient of requests in the user's own configuration: a sign-in counts for no other. */
  target: KeyTarget
}

/** What a plugin calls its provider with. */
export interface PluggedOptions {
  apiKey: string | null
  baseURL: string | null
  headers: Record<string, string>
  options: Record<string, unknown>
  /** Requests go through the plugin. */
  hasFetch: boolean
  /** Ids of models that cost nothing with this sign-in. */
  free: readonly string[]
}

/** What a plugin gets to know of a provider. */
export interface ProviderFacts {
  name: string
  models: readonly ModelInfo[]
}

/** Providers as plugins of the user's own configuration have them; a project's plugins have no part in it. */
export interface PluggedProviders {
  list(): Promise<readonly PluggedProvider[]>
  /** The models with those that plugins add or change. What a plugin makes of them in a wrong form is left out. */
  models(id: string, facts: ProviderFacts): Promise<readonly ModelInfo[]>
  /** @throws no_model_available, saying what a person can do */
  options(account: ProviderAccount, facts: ProviderFacts): Promise<PluggedOptions>
  /** Sends a request of a model through its plugin. @throws as `options` */
  send(account: ProviderAccount, ...request: Parameters<typeof fetch>): Promise<Response>
  /** What lets somebody in, which no reader of a share may see. */
  secrets(): Promise<{ providerID: string; key: string }[]>
}

/** What a person does to sign in with a plugin. */
export function signInAdvice(plugin: string): string {
  return `Sign in with the plugin ${plugin}: in Settings, Extensions, or with: docket plugin login ${plugin}`
}

/** For a service without plugins. */
export const noPluggedProviders: PluggedProviders = {
  list: async () => [],
  models: async (_, { models }) => models,
  options: () => Promise.reject(new Error("no plugins here")),
  send: () => Promise.reject(new Error("no plugins here")),
  secrets: async () => [],
}
