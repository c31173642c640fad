// A client that openapi-typescript generates, with strict types: see the job typescript in
// .github/workflows/nightly.yml.
import createClient from 'openapi-fetch';
import type { paths } from './api';

const client = createClient<paths>({
  baseUrl: process.env.TUNNEL_BASE_URL,
  headers: { Authorization: `Bearer ${process.env.TUNNEL_API_KEY}` },
});
const header = { 'Service-Version': '2' } as const;

async function main(): Promise<void> {
  const edge = await client.POST('/edges/tls', { params: { header }, body: { hostports: ['www.example.com:443'] } });
  const log = { type: 'log', config: { metadata: { team: 'web' } } }; // config has any members
  const policy = await client.PUT('/edges/tls/{id}/policy', {
    params: { header, path: { id: edge.data!.id } },
    body: { inbound: [{ name: 'all', actions: [log] }] }, // enabled has a default
  });
  if (!policy.data?.enabled) throw new Error(JSON.stringify(policy));
  const refused = await client.POST('/backends/failover', { params: { header }, body: { backends: ['bkdtg_none'] } });
  if (refused.error?.details?.field !== 'backends[0]') throw new Error(JSON.stringify(refused));
}

void main();
