import type { Endpoints } from '../contract/endpoints.ts';

/** The name of the tool that calls an endpoint, such as `validity_list`. */
export type EndpointTool = {
  [Resource in keyof Endpoints]: `${Resource}_${keyof Endpoints[Resource] & string}`;
}[keyof Endpoints];

/** What people and models read of a tool, beside the summary of its endpoint. */
interface Wording {
  readonly title: string;
  /** When to use it, and what to know about its result. */
  readonly advice: string;
}

/** An endpoint without an entry does not compile. */
export const endpointWording: Readonly<Record<EndpointTool, Wording>> = {
  validity_summary: {
    title: 'Count validity rules by outcome',
    advice: 'A cheap first look at the health of an asset.',
  },
  validity_list: {
    title: 'List validity rules',
    advice: 'Use it to find the uuid of a rule. It shows no outcome: see validity_results.',
  },
  validity_get: { title: 'Show a validity rule', advice: 'The only tool that shows rule_config.' },
  validity_create: {
    title: 'Create a validity rule',
    advice:
      'What rule_config and column_name must be depends on rule_type. Look with validity_list first: the same rule can be created twice.',
  },
  validity_update: {
    title: 'Change a validity rule',
    advice:
      'Changes only the fields that are given. The type, table, column and configuration cannot be changed: delete the rule and create another one.',
  },
  validity_delete: {
    title: 'Delete a validity rule',
    advice:
      'Its results are gone too. To stop checking it and keep them, use validity_update with is_active false.',
  },
  validity_check: {
    title: 'Check a validity rule now',
    advice:
      'Scans the table and stores a result. Returns how many rows are invalid and samples of them. The status "error" means that the rule could not be evaluated, which is not a pass.',
  },
  validity_results: {
    title: 'List the results of a validity rule',
    advice: 'Use it to see since when a rule fails, without scanning the table again.',
  },
  metrics_summary: {
    title: 'Count metrics and captures by outcome',
    advice: 'A cheap first look at the metrics of an asset.',
  },
  metrics_list: { title: 'List metrics', advice: 'Use it to find the id of a metric.' },
  metrics_get: {
    title: 'Show a metric with its latest values',
    advice: 'For a longer history use metrics_snapshots.',
  },
  metrics_create: {
    title: 'Create a metric',
    advice:
      'All types but row_count need column_name, and percentile needs percentile_value. Look with metrics_list first: the same metric can be created twice.',
  },
  metrics_update: { title: 'Change a metric', advice: 'Changes only the fields that are given.' },
  metrics_delete: {
    title: 'Delete a metric',
    advice:
      'Its snapshots are gone too. To stop capturing it and keep them, use metrics_update with is_active false.',
  },
  metrics_capture: {
    title: 'Capture a metric now',
    advice:
      'Measures the table and stores one snapshot, or one per group. A snapshot with is_anomaly true differs from what the earlier ones led to expect.',
  },
  metrics_snapshots: {
    title: 'List the values of a metric',
    advice: 'Use it to see when a value changed.',
  },
  freshness_get: {
    title: 'Show how fresh an asset is',
    advice: 'The status "unknown" is not fresh: nobody knows.',
  },
  freshness_overview: {
    title: 'List the freshness of the tables of an asset',
    advice: 'Use it to find out which table is late.',
  },
  lineage_upload: {
    title: 'Upload a dbt manifest',
    advice: 'Upload the manifest.json that a dbt run leaves in its target folder.',
  },
};
