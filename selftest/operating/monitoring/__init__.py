"""Examples for Prometheus and Grafana: `alerts.yml`, `grafana.json`. No code."""
