-- CreateTable
CREATE TABLE "Webhook" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id")
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "webhookID" TEXT NOT NULL,
    "fact" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "rootID" TEXT,
    "status" TEXT NOT NULL,
    "nextAt" REAL,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "WebhookDelivery_tenantID_webhookID_fkey" FOREIGN KEY ("tenantID", "webhookID") REFERENCES "Webhook" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "WebhookCursor" (
    "tenantID" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "at" REAL NOT NULL,

    PRIMARY KEY ("tenantID", "rootID")
);

-- CreateIndex
CREATE INDEX "Webhook_tenantID_created_idx" ON "Webhook"("tenantID", "created");

-- CreateIndex
CREATE INDEX "WebhookDelivery_tenantID_webhookID_status_nextAt_idx" ON "WebhookDelivery"("tenantID", "webhookID", "status", "nextAt");

-- CreateIndex
CREATE INDEX "WebhookDelivery_tenantID_rootID_idx" ON "WebhookDelivery"("tenantID", "rootID");

-- CreateIndex
CREATE INDEX "WebhookDelivery_tenantID_created_idx" ON "WebhookDelivery"("tenantID", "created");

-- CreateIndex
CREATE UNIQUE INDEX "WebhookDelivery_tenantID_webhookID_fact_key" ON "WebhookDelivery"("tenantID", "webhookID", "fact");
