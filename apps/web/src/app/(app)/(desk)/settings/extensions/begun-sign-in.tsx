"use client"

import { useTRPC } from "@docket/client/react"
import { visibleText } from "@docket/core/rule"
import type { BegunSignIn, ListedExtension } from "@docket/core/schema"
import { Button, TextInput } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import entries from "../../../../../ui/entries.module.css"
import styles from "./extensions.module.css"

interface BegunProps {
  begun: BegunSignIn
  named: { projectID: string; kind: ListedExtension["ref"]["kind"]; name: string }
  onOver(): void
}

/** A page to open, and a field for what the person is given there. */
export function BegunSignInView({ begun, named, onOver }: BegunProps) {
  const trpc = useTRPC()
  const client = useQueryClient()
  const [address, setAddress] = useState("")
  const input = { projectID: named.projectID }
  // The browser may come back to the service by itself.
  useQuery(trpc.extension.list.queryOptions(input, { refetchInterval: 1_000 }))
  const finish = useMutation(
    trpc.extension.finishSignIn.mutationOptions({
      onSuccess: () => client.invalidateQueries({ queryKey: trpc.extension.list.queryKey(input) }),
    }),
  )
  return (
    <>
      {begun.note === undefined ? null : <p>{visibleText(begun.note)}</p>}
      <p>
        Open this page and agree there{begun.code === null ? "" : ", with the code "}
        {begun.code === null ? "" : <strong className={styles.code}>{visibleText(begun.code)}</strong>}:
      </p>
      <a className={styles.address} href={begun.address} target="_blank" rel="noreferrer noopener">
        {visibleText(begun.address)}
      </a>
      {begun.isRedirected || begun.givesCode ? (
        <form
          className={styles.finish}
          onSubmit={(event) => {
            event.preventDefault()
            finish.mutate({ ...named, address })
          }}
        >
          <TextInput
            label={
              begun.givesCode
                ? "Paste the code, or the address on which it ends"
                : "If the page then cannot be reached, paste its address"
            }
            autoComplete="off"
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
          <Button type="submit" disabled={address.trim() === "" || finish.isPending}>
            Finish
          </Button>
        </form>
      ) : null}
      {finish.error === null ? null : (
        <p className={styles.error} role="alert">
          {visibleText(finish.error.message)}
        </p>
      )}
      <div className={entries.actions}>
        <Button variant="subtle" onClick={onOver}>
          Begin again
        </Button>
      </div>
    </>
  )
}
