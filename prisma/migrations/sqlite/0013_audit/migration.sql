-- CreateTable
CREATE TABLE "AuditEntry" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "at" REAL NOT NULL,
    "act" TEXT NOT NULL,
    "person" TEXT,
    "text" TEXT NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id")
);

-- CreateIndex
CREATE INDEX "AuditEntry_tenantID_at_idx" ON "AuditEntry"("tenantID", "at");

-- CreateIndex
CREATE INDEX "AuditEntry_tenantID_person_id_idx" ON "AuditEntry"("tenantID", "person", "id");

-- CreateIndex
CREATE INDEX "AuditEntry_tenantID_act_id_idx" ON "AuditEntry"("tenantID", "act", "id");

-- What was written stays as it is: nothing of this service changes a row, and no mistake shall.
CREATE TRIGGER "AuditEntry_stays" BEFORE UPDATE ON "AuditEntry" BEGIN
    SELECT RAISE(ABORT, 'entries of the audit log are not changed');
END;
