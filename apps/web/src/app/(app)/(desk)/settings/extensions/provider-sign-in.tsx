"use client"

import { useTRPC } from "@docket/client/react"
import { visibleText } from "@docket/core/rule"
import type { BegunSignIn, ListedExtension, Project, SignInPrompt } from "@docket/core/schema"
import { Button, NativeSelect, PasswordInput, TextInput } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import entries from "../../../../../ui/entries.module.css"
import { askedPrompts } from "./asked-prompts.ts"
import { BegunSignInView } from "./begun-sign-in.tsx"
import styles from "./extensions.module.css"

interface ProviderSignInProps {
  extension: ListedExtension
  signIn: NonNullable<ListedExtension["signIn"]>
  project: Project
}

/** Signs the user in to a provider with a plugin, in one of the ways that it has, and out again. */
export function ProviderSignIn({ extension, signIn, project }: ProviderSignInProps) {
  const trpc = useTRPC()
  const client = useQueryClient()
  const [begun, setBegun] = useState<BegunSignIn | null>(null)
  const { ref, title } = extension
  const named = { projectID: project.id, kind: ref.kind, name: ref.name }
  const again = () => {
    void client.invalidateQueries({ queryKey: trpc.extension.list.queryKey({ projectID: project.id }) })
    // The provider is connected now, or is not any more.
    void client.invalidateQueries({ queryKey: trpc.provider.pathKey() })
  }
  const signOut = useMutation(trpc.extension.signOutForAll.mutationOptions({ onSuccess: again }))
  const provider = visibleText(signIn.provider)
  const waits = begun !== null && signIn.state !== "in"
  return (
    <section className={styles.signIn} aria-label={`Sign in to ${provider} with ${visibleText(title)}`}>
      {signIn.failure === null ? null : (
        <p className={styles.error} role="alert">
          The sign-in failed: {visibleText(signIn.failure)}
        </p>
      )}
      {waits ? <BegunSignInView begun={begun} named={named} onOver={() => setBegun(null)} /> : null}
      {signIn.state === "in" ? (
        <div className={entries.actions}>
          <span>Signed in to {provider}.</span>
          <Button disabled={signOut.isPending} onClick={() => signOut.mutate(named)}>
            Sign out of {provider}
          </Button>
        </div>
      ) : null}
      {waits || signIn.state === "in" ? null : (
        <Ways
          signIn={signIn}
          named={named}
          onBegun={(given) => {
            setBegun(given)
            again()
          }}
        />
      )}
    </section>
  )
}

interface WaysProps {
  signIn: ProviderSignInProps["signIn"]
  named: { projectID: string; kind: ListedExtension["ref"]["kind"]; name: string }
  onBegun(begun: BegunSignIn | null): void
}

function Ways({ signIn: { provider, ways }, named, onBegun }: WaysProps) {
  const trpc = useTRPC()
  const [way, setWay] = useState(0)
  const [typed, setTyped] = useState<Record<string, string>>({})
  const begin = useMutation(trpc.extension.signInForAll.mutationOptions({ onSuccess: onBegun }))
  const { prompts, inputs } = askedPrompts(ways[way]?.prompts ?? [], typed)
  return (
    <form
      className={styles.prompts}
      onSubmit={(event) => {
        event.preventDefault()
        begin.mutate({ ...named, choice: { way, inputs } })
      }}
    >
      {ways.length < 2 ? null : (
        <NativeSelect
          label={`How to sign in to ${visibleText(provider)}`}
          value={String(way)}
          data={ways.map(({ label }, value) => ({ value: String(value), label: visibleText(label) }))}
          onChange={(event) => {
            setWay(Number(event.currentTarget.value))
            setTyped({})
          }}
        />
      )}
      {prompts.map((prompt) => (
        <Prompt
          key={prompt.key}
          prompt={prompt}
          value={inputs[prompt.key] ?? ""}
          onChange={(value) => setTyped({ ...typed, [prompt.key]: value })}
        />
      ))}
      {begin.error === null ? null : (
        <p className={styles.error} role="alert">
          {visibleText(begin.error.message)}
        </p>
      )}
      <Button type="submit" variant="filled" disabled={begin.isPending}>
        Sign in to {visibleText(provider)}
      </Button>
    </form>
  )
}

interface PromptProps {
  prompt: SignInPrompt
  value: string
  onChange(value: string): void
}

function Prompt({ prompt: { type, message, placeholder, options }, value, onChange }: PromptProps) {
  const label = visibleText(message)
  const field = {
    ...{ label, value, autoComplete: "off" },
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  if (type === "secret") return <PasswordInput {...field} />
  if (type === "text") return <TextInput {...field} placeholder={visibleText(placeholder ?? "")} />
  const data = options.map((option) => ({
    value: option.value,
    label: visibleText(option.hint === null ? option.label : `${option.label} (${option.hint})`),
  }))
  return <NativeSelect {...field} data={data} />
}
