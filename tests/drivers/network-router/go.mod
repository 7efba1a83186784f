module meydan/network-router

go 1.24
