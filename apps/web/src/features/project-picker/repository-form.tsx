"use client"

import { useTRPC } from "@docket/client/react"
import type { Project } from "@docket/core/schema"
import { Button, PasswordInput, Select, TextInput } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import styles from "./project-picker.module.css"

/** The choice of a token that is not saved yet. */
const another = "another token"

/** Adds a repository as a project: its address, its branch, and what signs in to it. */
export function RepositoryForm({ onOpened }: { onOpened: (project: Project) => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const credentials = useQuery(trpc.credential.list.queryOptions())
  const saving = useMutation(trpc.credential.save.mutationOptions())
  const adding = useMutation(trpc.project.add.mutationOptions())
  const [url, setURL] = useState("")
  const [ref, setRef] = useState("")
  const [credential, setCredential] = useState<string | null>(null)
  const [token, setToken] = useState("")
  const names = credentials.data?.map(({ name }) => name) ?? []

  const add = async () => {
    const address = url.trim()
    const saved = credential === another ? await saving.mutateAsync(newCredential(address, token, names)) : null
    if (saved !== null) {
      setToken("")
      setCredential(saved.name)
      await queries.invalidateQueries(trpc.credential.list.pathFilter())
    }
    const name = saved?.name ?? credential
    const project = await adding.mutateAsync({
      url: address,
      ...(ref.trim() !== "" && { ref: ref.trim() }),
      ...(name !== null && { credential: name }),
    })
    void queries.invalidateQueries(trpc.project.list.pathFilter())
    onOpened(project)
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        // The form shows the error.
        add().catch(() => {})
      }}
    >
      <TextInput
        label="Address for HTTPS"
        placeholder="https://git.example.org/team/shop.git"
        data-autofocus
        spellCheck={false}
        value={url}
        error={(adding.error ?? saving.error)?.message}
        onChange={(event) => setURL(event.currentTarget.value)}
      />
      <TextInput
        label="Branch"
        placeholder="The server's own"
        spellCheck={false}
        value={ref}
        onChange={(event) => setRef(event.currentTarget.value)}
      />
      <Select
        label="Signs in with"
        placeholder="Nothing"
        clearable
        data={[...names, { value: another, label: "Another token…" }]}
        value={credential}
        onChange={setCredential}
      />
      {credential === another ? (
        <PasswordInput
          label="Token"
          description="It is kept by the service and sent to this server alone. No agent sees it."
          value={token}
          autoComplete="off"
          onChange={(event) => setToken(event.currentTarget.value)}
        />
      ) : null}
      <Button
        type="submit"
        variant="filled"
        disabled={url.trim() === "" || (credential === another && token.trim() === "")}
        loading={adding.isPending || saving.isPending}
      >
        Add
      </Button>
    </form>
  )
}

/** A token for the server of an address, under a name that no other has. */
function newCredential(address: string, token: string, names: readonly string[]) {
  const origin = URL.canParse(address) ? new URL(address).origin : address
  const host = URL.canParse(address) ? new URL(address).hostname : "repository"
  const base =
    host
      .toLowerCase()
      .replace(/[^a-z0-9.-]+/g, "-")
      .replace(/^[.-]+/, "")
      .slice(0, 50) || "repository"
  const free = [base, ...names.map((_, index) => `${base}-${index + 2}`)].find((name) => !names.includes(name)) ?? base
  return { name: free, origin, token }
}
