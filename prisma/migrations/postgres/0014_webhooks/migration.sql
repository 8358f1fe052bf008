-- CreateTable
CREATE TABLE "Webhook" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "url" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL,
    "created" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Webhook_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "webhookID" TEXT COLLATE "C" NOT NULL,
    "fact" TEXT COLLATE "C" NOT NULL,
    "event" TEXT COLLATE "C" NOT NULL,
    "rootID" TEXT COLLATE "C",
    "status" TEXT COLLATE "C" NOT NULL,
    "nextAt" DOUBLE PRECISION,
    "created" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "WebhookCursor" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "rootID" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "at" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "WebhookCursor_pkey" PRIMARY KEY ("tenantID","rootID")
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

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_tenantID_webhookID_fkey" FOREIGN KEY ("tenantID", "webhookID") REFERENCES "Webhook"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;
